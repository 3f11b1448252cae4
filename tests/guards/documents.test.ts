import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { listFiles, readSource, root } from '#tests/support/sources.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const DOCUMENTS = tracked.filter((path) => path.endsWith('.md') && existsSync(join(root, path)))
const RECORDS = listFiles(['docs/adr'], ['.md']).filter((path) => /\/\d{4}-[^/]+\.md$/.test(path))
const fileOf = (path: string) => path.split('/').at(-1)!

/** A document without what stands in code: nothing in there is a link or a heading. */
const prose = (path: string) =>
  readSource(path)
    .replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1\s*$/gm, '')
    .replace(/(`+)[^`\n]+?\1/g, (code) => code.replace(/[[\]()<>]/g, ''))

/** Where the links and pictures of a document lead, as written. */
export function linksOf(text: string): string[] {
  const pattern =
    /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|<(?:img|a)\b[^>]*?\b(?:src|href)="([^"]+)"|^\[[^\]]+\]:\s+(\S+)/gm
  return [...text.matchAll(pattern)].map(([, inline, html, reference]) => inline ?? html ?? reference!)
}

/** The anchor that GitHub gives a heading; one with an `<a id>` of its own has that, too. */
export const anchorOf = (heading: string) =>
  heading
    .replace(/<[^>]+>/g, '')
    .trim()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')

function anchorsOf(path: string): Set<string> {
  const found = new Set([...prose(path).matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!))
  for (const [, heading] of prose(path).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const anchor = anchorOf(heading!)
    let name = anchor
    for (let n = 1; found.has(name); n++) name = `${anchor}-${n}`
    found.add(name)
  }
  return found
}

/** What is wrong with a link of a document; null where it leads somewhere. */
function faultOf(path: string, link: string): string | null {
  if (/^([a-z][a-z+.-]*:|\/\/)/i.test(link)) return null
  const [target, anchor] = link.split('#') as [string, string?]
  const to = target === '' ? path : posix.join(posix.dirname(path), decodeURIComponent(target))
  if (to.startsWith('..') || !existsSync(join(root, to))) return `${path}: ${link} leads to no file`
  if (anchor === undefined || !to.endsWith('.md')) return null
  return anchorsOf(to).has(decodeURIComponent(anchor)) ? null : `${path}: ${link} leads to no heading`
}

interface Decision {
  number: string
  title: string
  status: string
  /** Files of the decisions it takes the place of. */
  supersedes: string[]
  /** Files of the decisions that it changes a part of, and of those that change it. */
  amends: string[]
  amendedBy: string[]
  /** File of the decision that took its place. */
  by: string | null
}

const linksIn = (line: string | undefined) => [...(line ?? '').matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to!)

function recordOf(path: string): Decision {
  const text = readSource(path)
  const [, number = '', title = ''] = /^# (\d{4})\. (.+)$/m.exec(text) ?? []
  const status = /^- Status: (.+)$/m.exec(text)?.[1] ?? ''
  return {
    number,
    title,
    status,
    supersedes: linksIn(/^- Supersedes: (.+)$/m.exec(text)?.[1]),
    amends: linksIn(/^- Amends: (.+)$/m.exec(text)?.[1]),
    amendedBy: status.startsWith('accepted, amended by ') ? linksIn(status) : [],
    by: status.startsWith('superseded') ? (linksIn(status)[0] ?? '') : null,
  }
}

const records = new Map(RECORDS.map((path) => [fileOf(path), recordOf(path)]))

const guard = suite('documents')

guard('every relative link leads to a file, and its anchor to a heading', () => {
  const faults = DOCUMENTS.flatMap((path) => linksOf(prose(path)).map((link) => faultOf(path, link)))
  assertNone(faults, (fault) => fault !== null)
})

guard('the guard sees links and knows GitHub’s anchors', () => {
  const text = '[a](b.md#c) ![d](e.webp "f")\n<img src="g.webp" alt="h" />\n[i]: j.md\n[k](https://l.example)'
  assert.equal(linksOf(text), ['b.md#c', 'e.webp', 'g.webp', 'j.md', 'https://l.example'])
  assert.is(anchorOf('Lifecycle of a like, in short'), 'lifecycle-of-a-like-in-short')
  assert.is(anchorOf('<a id="s4.1"></a>4.1 Filters'), '41-filters')
  assert.is(anchorOf('`dogs-geo.json`'), 'dogs-geojson')
  assert.is(anchorOf('«¡Nueva raza!» de A–Z'), 'nueva-raza-de-az')
  assert.is(faultOf('README.md', 'https://nowhere.example/x'), null)
  assert.match(faultOf('README.md', 'docs/nothing.md')!, 'no file')
  assert.match(faultOf('README.md', 'CONTRIBUTING.md#nothing')!, 'no heading')
})

guard('every decision has number, title, date, status and its three parts', () => {
  assert.ok(RECORDS.length > 100)
  const faults = RECORDS.filter((path) => {
    const { number, title, status } = records.get(fileOf(path))!
    const text = readSource(path)
    const parts = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!)
    return (
      !fileOf(path).startsWith(`${number}-`) ||
      title === '' ||
      !/^- Date: \d{4}-\d{2}-\d{2}$/m.test(text) ||
      !/^(accepted(, amended by \[\d{4}\]\([^)]+\)( and \[\d{4}\]\([^)]+\))*)?|superseded by \[\d{4}\]\([^)]+\))$/.test(
        status,
      ) ||
      parts.join() !== 'Context,Decision,Consequences'
    )
  })
  assert.equal(faults, [])
})

guard('numbers run on without a gap', () => {
  const numbers = [...records.values()].map(({ number }) => Number(number))
  assert.equal(
    numbers,
    numbers.map((_, index) => index + 1),
  )
})

guard('a superseded decision and the one in its place name each other', () => {
  const forth = [...records].flatMap(([file, { supersedes }]) => supersedes.map((old) => `${old} < ${file}`))
  const back = [...records].flatMap(([file, { by }]) => (by === null ? [] : [`${file} < ${by}`]))
  assert.ok(forth.length > 0)
  assert.equal(forth.toSorted(), back.toSorted())
})

guard('an amended decision and the one that amends it name each other', () => {
  const forth = [...records].flatMap(([file, { amends }]) => amends.map((old) => `${old} < ${file}`))
  const back = [...records].flatMap(([file, { amendedBy }]) => amendedBy.map((by) => `${file} < ${by}`))
  assert.ok(forth.length > 0)
  assert.equal(forth.toSorted(), back.toSorted())
})

/** The decisions that the index lists, by theme: file, number, title and what follows the title. */
const themes = readSource('docs/adr/README.md')
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    theme: section.split('\n')[0]!,
    lines: [...section.matchAll(/^- \[(\d{4})\]\(([^)]+)\) (.+?)(?: · (.+))?$/gm)].map(
      ([, number, file, title, note]) => ({ number: number!, file: file!, title: title!, note: note ?? 'accepted' }),
    ),
  }))

guard('the index lists every decision with its title and status', () => {
  const listed = themes.flatMap(({ lines }) =>
    lines.map(({ number, file, title, note }) => [number, file, title, note.replace(/^amended/, 'accepted, amended')]),
  )
  const expected = [...records].map(([file, { number, title, status }]) => [number, file, title, status])
  assert.equal(
    listed.toSorted(([a], [b]) => Number(a) - Number(b)),
    expected,
  )
})

guard('every theme of the index is in order, and superseded decisions have their own', () => {
  for (const { theme, lines } of themes) {
    const numbers = lines.map(({ number }) => Number(number))
    assert.ok(lines.length > 0, theme)
    assert.equal(
      numbers,
      numbers.toSorted((a, b) => a - b),
      theme,
    )
    for (const { number, note } of lines)
      assert.is(note.startsWith('superseded'), theme === 'Superseded', `${number} in «${theme}»`)
  }
})
