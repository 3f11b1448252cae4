import { CRITICAL_CSS } from '#lib/critical-css.ts'
import { listFiles, readSource } from '#tests/support/sources.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

const guard = suite('styles')

guard('every page says the order of the layers before any stylesheet', () => {
  // Whichever mention comes first fixes the order of the layers for all.
  assert.match(CRITICAL_CSS, /^@layer base,shell;/)
  const head = readSource('src/layouts/Head.astro')
  assert.is(head.search(/<(style|link|script)\b/), head.indexOf('<style is:inline set:html={CRITICAL_CSS}></style>'))
  const pages = listFiles(['src'], ['.astro']).filter((path) => /<head>/.test(readSource(path)))
  assert.equal(pages, ['src/layouts/Shell.astro'])
  assert.match(readSource('src/layouts/Shell.astro'), /<head>\s*<Head\b/)
  const layers = listFiles(['src'], ['.css']).flatMap((path) =>
    [...readSource(path).matchAll(/@layer ([^{;]+)/g)].map(([, names]) => names!.trim()),
  )
  assert.equal([...new Set(layers)].toSorted(), ['base', 'shell'])
})

guard('no style asks another site for anything', () => {
  assertNone(listFiles(['src'], ['.css']), (path) => /url\(['"]?https?:/.test(readSource(path)))
})

guard('no list of sizes for photos uses a function that WebKit does not know there', () => {
  // Nobody sees the difference: WebKit takes 100vw, and with it the largest file.
  const faults = listFiles(['src'], ['.ts', '.tsx', '.astro']).filter((path) =>
    /['"`][^'"`\n]*\b(min|max|clamp)\([^)'"`\n]*\d(vw|vh|px|rem)/.test(
      readSource(path).replace(/<style[\s\S]*?<\/style>/g, ''),
    ),
  )
  assert.equal(faults, [], 'write them as (max-width: …) calc(…), …')
})

guard('repeating gradients of wide colours name sRGB', () => {
  // Firefox puts stops of its own between two that stand at one place, and draws bands for lines.
  const faults = listFiles(['src'], ['.css']).flatMap((path) =>
    [...readSource(path).matchAll(/repeating-[a-z]+-gradient\(((?:[^()]|\([^()]*\))*)\)/g)]
      .filter(([, stops]) => /\b(ok)?l(ab|ch)\(|color\(|var\(/.test(stops!) && !/\bin srgb\b/.test(stops!))
      .map(([gradient]) => `${path}: ${gradient.slice(0, 60)}`),
  )
  assert.equal(faults, [], 'begin them with: in srgb,')
})

guard('code that nobody asked for may fail to come without an error', () => {
  // Leaving a page breaks off what it still loads.
  const faults: string[] = []
  for (const path of listFiles(['src'], ['.client.ts', '.tsx', '.astro'])) {
    const source = readSource(path)
    for (const [text] of source.matchAll(
      /\bvoid import\([^)]*\)|\bimport\('[^']*'\)\.(then\([^;]{0,300}?, |catch\()console\.error/g,
    ))
      faults.push(`${path}: ${text.slice(0, 80)}`)
    // What brings it: called for its own sake, or left to an event.
    for (const [, name] of source.matchAll(/const (\w+) = \(\) => import\(/g))
      for (const [use] of source.matchAll(
        new RegExp(`void ${name}\\(\\)|'\\w+', ${name}\\b|${name}\\(\\)\\.catch\\(console`, 'g'),
      ))
        faults.push(`${path}: ${use}`)
  }
  assert.equal(faults, [], 'inBackground(import(…)) of #lib/background.client.ts')
})
