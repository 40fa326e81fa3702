// Files beside the package: from disk in node, by HTTP elsewhere.

export const isNode = typeof process !== "undefined" && Boolean(process.versions?.node);

/** Returns the bytes of a file. */
export async function bytesOf(url) {
  if (isNode && url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return new Uint8Array(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}
