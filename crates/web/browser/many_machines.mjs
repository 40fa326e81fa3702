// Several servers for the browser tests: a PostgreSQL in a temporary folder, and a TCP proxy
// with failover.

import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Debian keeps PostgreSQL's programs outside the usual path, by version. */
function program(name) {
  const place = "/usr/lib/postgresql";
  const versions = existsSync(place) ? readdirSync(place) : [];
  const newest = versions.sort((a, b) => b - a).map((version) => join(place, version, "bin", name));
  return newest.find(existsSync) ?? name;
}

/** PostgreSQL refuses to be root's: there it belongs to the user of Debian's package. */
function asSomebody(words) {
  if (process.getuid() !== 0) return words;
  const user = ["--reuid=postgres", "--regid=postgres", "--clear-groups"];
  return ["setpriv", ...user, "--pdeathsig", "QUIT", ...words];
}

const quiet = { cwd: "/", stdio: "ignore" };
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Makes and starts a PostgreSQL; `url` is a database of it. */
export async function startPostgres() {
  const folder = mkdtempSync(join(tmpdir(), "papan-postgres-"));
  if (process.getuid() === 0) {
    const number = (which) => Number(execFileSync("id", [which, "postgres"]));
    chownSync(folder, number("-u"), number("-g"));
  }
  const data = join(folder, "data");
  const init = [program("initdb"), "--auth=trust", "--username=papan", "--no-sync", "-D", data];
  const [first, ...rest] = asSomebody(init);
  execFileSync(first, rest, quiet);
  const settings = ["-c", "listen_addresses=", "-c", "fsync=off"];
  const [command, ...words] = asSomebody([program("postgres"), "-D", data, "-k", folder, ...settings]);
  const server = spawn(command, words, quiet);
  const ask = ["--host", folder, "--username=papan", "--dbname=postgres", "--quiet"];
  for (let attempt = 0; ; attempt++) {
    try {
      execFileSync(program("psql"), [...ask, "--command", "CREATE DATABASE club"], quiet);
      break;
    } catch (error) {
      if (attempt === 300) throw error;
      await pause(100);
    }
  }
  return {
    url: `postgres://papan@${encodeURIComponent(folder)}/club`,
    async stop() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGQUIT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Leads every connection to the first of these ports that accepts connections. */
export async function startProxy(ports) {
  const open = new Set();
  const proxy = createServer((visitor) => {
    const lead = ([port, ...others]) => {
      const server = connect(port, "127.0.0.1");
      const end = () => {
        visitor.destroy();
        server.destroy();
      };
      let led = false;
      server.once("connect", () => {
        led = true;
        visitor.pipe(server).pipe(visitor);
      });
      server.once("error", () => (!led && others.length ? lead(others) : end()));
      for (const side of [visitor, server]) side.once("close", () => led && end());
      visitor.on("error", end);
    };
    open.add(visitor);
    visitor.once("close", () => open.delete(visitor));
    lead(ports);
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${proxy.address().port}`,
    async stop() {
      for (const visitor of open) visitor.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
