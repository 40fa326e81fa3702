// Pictures of every page in two sizes, light and dark, to look at.
//
//   node crates/web/browser/pictures.mjs FOLDER [BINARY [PART OF A NAME]]

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch, phone, startServer } from "./harness.mjs";
import { visits } from "./visits.mjs";

const [folder = "pictures", binary = "target/release/papan", part = ""] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await launch();
const server = await startServer(binary, { options: ["--embedding"] });
for (const { name, visit } of visits.filter(({ name }) => name.includes(part))) {
  for (const [size, viewport] of [["wide", { width: 1280, height: 800 }], ["phone", phone]]) {
    const context = await browser.newContext({ viewport, locale: "en", reducedMotion: "reduce" });
    const page = await context.newPage();
    try {
      await visit(page, server.address, binary);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: size === "phone" });
      }
    } catch (error) {
      console.log(`${name} (${size}): ${error.message}`);
    }
    await context.close();
  }
}
await browser.close();
await server.stop();
