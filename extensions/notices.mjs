// The licences of everything that the build bundles or copies, as one text.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** Folders of the packages whose files an esbuild run took, by its metafile. */
function bundled(metafile, root) {
  const inputs = Object.keys(metafile.inputs).filter((input) => input.includes("node_modules/"));
  return inputs.map((input) => {
    const at = input.lastIndexOf("node_modules/") + "node_modules/".length;
    const [scope, name] = input.slice(at).split("/");
    return path.join(root, input.slice(0, at), scope.startsWith("@") ? `${scope}/${name}` : scope);
  });
}

async function manifest(folder) {
  return JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
}

/** Where Node would find a dependency of the package in this folder. */
function find(name, folder) {
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at)) {
    const candidate = path.join(at, "node_modules", name);
    if (existsSync(path.join(candidate, "package.json"))) return candidate;
  }
  return undefined;
}

/**
 * A package and its dependencies, theirs too: a prebuilt script carries them inside. Without those of other programs in
 * the package (`bin`): of the relay's package only the page's half is copied, which has none.
 */
async function withDependencies(folder, seen = new Set()) {
  if (seen.has(folder)) return seen;
  seen.add(folder);
  const { dependencies = {}, bin } = await manifest(folder);
  for (const name of bin ? [] : Object.keys(dependencies)) {
    const dependency = find(name, folder);
    if (dependency) await withDependencies(dependency, seen);
  }
  return seen;
}

async function licence(folder) {
  const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
  return file
    ? (await readFile(path.join(folder, file), "utf8")).trim()
    : "(the package carries no licence text)";
}

async function entry(folder) {
  const { name, version, license } = await manifest(folder);
  return { title: `${name} ${version} (${license})`, text: await licence(folder) };
}

/**
 * @param {object[]} metafiles of the esbuild runs
 * @param {string} root what the metafiles' paths are relative to
 * @param {string[]} prebuilt folders of packages whose own scripts are copied
 */
export async function thirdPartyNotices(metafiles, root, prebuilt) {
  const folders = new Set(metafiles.flatMap((metafile) => bundled(metafile, root)));
  for (const folder of prebuilt) for (const inner of await withDependencies(folder)) folders.add(inner);
  const entries = new Map();
  for (const folder of folders) {
    const { title, text } = await entry(folder);
    entries.set(title, text);
  }
  const rule = "=".repeat(80);
  const parts = [...entries]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([title, text]) => `${rule}\n${title}\n\n${text}\n`);
  return `Software by others in this build, and its licences\n\n${parts.join("\n")}`;
}
