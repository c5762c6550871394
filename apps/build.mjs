// Bundles the phone into dist/: one page, one script, one stylesheet, fonts, the state's JSON Schema and a content hash.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { createGenerator } from 'ts-json-schema-generator';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, 'dist');
const at = (...parts) => join(here, ...parts);

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, user-scalable=no">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'">
<title>MobileGym phone</title>
<link rel="stylesheet" href="phone.css">
</head>
<body><div id="phone"></div><script src="phone.js"></script></body>
</html>
`;

function sources(dir) {
  return readdirSync(dir, { withFileTypes: true })
    .filter((e) => !['node_modules', 'dist'].includes(e.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((e) => (e.isDirectory() ? sources(join(dir, e.name)) : [join(dir, e.name)]));
}

/** Of what the phone is made from: its sources, this script, and the pinned packages that end up in it. */
function contentHash() {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const hash = createHash('sha256').update(JSON.stringify([dependencies, devDependencies.esbuild]));
  for (const file of sources(here)) {
    if (!/\.(tsx?|css)$|build\.mjs$/.test(file) || /\.(test|d)\.tsx?$|\/tests\//.test(file)) continue;
    hash.update(file.slice(here.length)).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Copies the font files that a package's stylesheet names, and returns the stylesheet with their new place. */
function fontCss(pkg, sheet, family) {
  const root = at('node_modules', pkg);
  const css = readFileSync(join(root, sheet), 'utf8');
  mkdirSync(join(dist, 'fonts'), { recursive: true });
  return css
    .replace(/url\(\.\/files\/([^)]+\.woff2)\)/g, (_, file) => {
      cpSync(join(root, 'files', file), join(dist, 'fonts', file));
      return `url(fonts/${file})`;
    })
    .replace(/,\s*url\([^)]*\.woff\)\s*format\(['"]woff['"]\)/g, '')
    .replace(/font-family:\s*['"][^'"]+['"]/g, `font-family:'${family}'`)
    .replace(/font-display:\s*\w+/g, 'font-display:block');
}

/** The demo world is data, not part of what the hash names. */
function copyDemo() {
  if (existsSync(at('demo.json'))) cpSync(at('demo.json'), join(dist, 'demo.json'));
}

const hash = contentHash();
const stamp = join(dist, 'build.json');
if (existsSync(stamp) && JSON.parse(readFileSync(stamp, 'utf8')).hash === hash && !process.argv.includes('--force')) {
  copyDemo();
  console.log(`phone ${hash}: up to date`);
  process.exit(0);
}
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

await build({
  entryPoints: { phone: at('main.tsx') },
  outdir: dist,
  bundle: true,
  minify: !process.argv.includes('--debug'),
  format: 'iife',
  target: 'chrome120',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  define: { BUILD: JSON.stringify(hash) },
  logLevel: 'warning',
});
const fonts = [
  fontCss('@fontsource-variable/roboto', 'index.css', 'Phone Sans'),
  fontCss('@fontsource-variable/noto-sans-sc', 'index.css', 'Phone CJK'),
  fontCss('@infolektuell/noto-color-emoji', 'index.css', 'Phone Emoji'),
].join('\n');
writeFileSync(join(dist, 'phone.css'), fonts + readFileSync(join(dist, 'phone.css'), 'utf8'));
writeFileSync(join(dist, 'index.html'), PAGE);
copyDemo();

const schema = createGenerator({
  path: at('state.ts'),
  tsconfig: at('tsconfig.json'),
  type: 'PhoneState',
  skipTypeCheck: true,
  additionalProperties: false,
}).createSchema('PhoneState');
writeFileSync(join(dist, 'schema.json'), JSON.stringify(schema, null, 1));
writeFileSync(stamp, JSON.stringify({ hash }));
console.log(`phone ${hash}: built`);
