// Browser tests: Chromium plays against `papan serve`.
//
//   node crates/web/browser/test.mjs [BINARY [PART OF A SCENARIO'S NAME]]
//
// `setup.sh` installs what this needs. Every scenario has a server of its own.

import { launch, startServer } from "./harness.mjs";
import engine from "./scenarios/engine.mjs";
import pages from "./scenarios/pages.mjs";
import design from "./scenarios/design.mjs";
import people from "./scenarios/people.mjs";
import play from "./scenarios/play.mjs";
import study from "./scenarios/study.mjs";
import trace from "./scenarios/trace.mjs";
import trainer from "./scenarios/trainer.mjs";

const binary = process.argv[2] ?? "target/release/papan";
const scenarios = { ...play, ...people, ...study, ...trace, ...trainer, ...pages, ...engine, ...design };

const browser = await launch();
let [failed, skipped] = [0, 0];
for (const [name, scenario] of Object.entries(scenarios)) {
  if (!name.includes(process.argv[3] ?? "")) continue;
  const server = await startServer(binary);
  const began = Date.now();
  try {
    const reason = await scenario({ browser, server, binary });
    if (reason) skipped += 1;
    console.log(reason ? `SKIPPED ${name}: ${reason}` : `ok     ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}\n${error.stack ?? error}`);
  } finally {
    for (const context of browser.contexts()) await context.close();
    await server.stop("SIGKILL");
  }
}
await browser.close();
console.log(`${Object.keys(scenarios).length} scenarios, ${failed} failed, ${skipped} skipped`);
process.exit(failed ? 1 : 0);
