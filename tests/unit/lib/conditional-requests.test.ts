import { acceptedEncodings, evaluateConditions, matchesEtag, parseRange } from '#lib/http/conditional-requests.ts'
import { assert, suite } from '#tests/support/suites.ts'

const SIZE = 1000
const RENDER = {
  etag: '"a"',
  size: SIZE,
  headers: { 'Content-Type': 'image/avif', 'Cache-Control': 'immutable', Vary: 'Accept' },
}

const ranges = suite('unit/lib/conditional-requests: ranges')

ranges('a range is served as far as the file goes', () => {
  const asked: Record<string, [number, number]> = {
    'bytes=0-0': [0, 1],
    'bytes=0-': [0, 1000],
    'bytes=10-19': [10, 20],
    'bytes=999-': [999, 1000],
    'bytes=-1': [999, 1000],
    'bytes=-5000': [0, 1000],
    'bytes=0-99999999999999999999': [0, 1000],
    [`bytes=0-${'9'.repeat(400)}`]: [0, 1000],
    'Bytes=1-2': [1, 3],
    ' bytes=1-2 ': [1, 3],
  }
  for (const [range, [from, to]] of Object.entries(asked)) assert.equal(parseRange(range, SIZE), { from, to }, range)
})

ranges('a range behind the end, or of no bytes, is not satisfiable', () => {
  for (const range of ['bytes=1000-', 'bytes=1000-2000', `bytes=${'9'.repeat(400)}-`, 'bytes=-0', 'bytes=-00'])
    assert.is(parseRange(range, SIZE), 'unsatisfiable', range)
})

ranges('lists of ranges and invalid ranges get the whole file', () => {
  const list = `bytes=${Array.from({ length: 1000 }, (_, i) => `${i}-${i}`).join(',')}`
  const nonsense = [
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=5-2',
    'bytes=a-b',
    'bytes=1-2-3',
    'bytes=--1',
    'bytes=1.5-3',
  ]
  const others = ['lines=0-1', 'bytes=0-1;q=1', 'bytes=0x1-0x2', 'bytes=１-２', 'bytes 0-1', 'bytes=0-0,1-1', list]
  for (const range of [...nonsense, ...others]) assert.is(parseRange(range, SIZE), null, range.slice(0, 40))
})

ranges('a range has its position, its length and its cache lifetime', () => {
  const { status, headers, from, to } = evaluateConditions('GET', { range: 'bytes=10-19' }, RENDER)
  assert.equal([status, from, to], [206, 10, 20])
  assert.equal(headers, {
    'Content-Type': 'image/avif',
    'Cache-Control': 'immutable',
    Vary: 'Accept',
    ETag: '"a"',
    'Accept-Ranges': 'bytes',
    'Content-Range': 'bytes 10-19/1000',
    'Content-Length': 10,
  })
})

ranges('a 416 contains the size and is not cached', () => {
  const { status, headers, from, to } = evaluateConditions('GET', { range: 'bytes=5000-' }, RENDER)
  assert.equal([status, from, to], [416, 0, 0])
  assert.equal(headers, { 'Content-Range': 'bytes */1000', 'Cache-Control': 'no-store', 'Content-Length': 0 })
})

ranges('a range is served only if If-Range matches the file', () => {
  const ask = (tag: string) => evaluateConditions('GET', { range: 'bytes=0-9', 'if-range': tag }, RENDER).status
  assert.is(ask('"a"'), 206)
  for (const other of ['"b"', 'W/"a"', 'Sat, 21 Nov 2026 10:00:00 GMT', '', '*']) assert.is(ask(other), 200, other)
})

ranges('HEAD ignores ranges and has no body', () => {
  const { status, headers, from, to } = evaluateConditions('HEAD', { range: 'bytes=0-9' }, RENDER)
  assert.equal([status, headers['Content-Length'], from, to], [200, SIZE, 0, 0])
})

ranges('a matching ETag gets 304 before any range', () => {
  for (const tag of ['"a"', 'W/"a"', '"b", "a"', '"b",W/"a"', '*']) {
    const { status, headers, from, to } = evaluateConditions(
      'GET',
      { 'if-none-match': tag, range: 'bytes=0-9' },
      RENDER,
    )
    assert.equal([status, from, to], [304, 0, 0], tag)
    assert.equal(headers, { 'Cache-Control': 'immutable', Vary: 'Accept', ETag: '"a"', 'Accept-Ranges': 'bytes' })
  }
  for (const tag of ['"b"', 'a', '', '"a', ','.repeat(9000)])
    assert.is(evaluateConditions('GET', { 'if-none-match': tag }, RENDER).status, 200, tag.slice(0, 9))
})

const tags = suite('unit/lib/conditional-requests: If-None-Match')

tags('tags are compared weakly, on both sides', () => {
  for (const header of ['"a"', 'W/"a"', ' "a" '])
    for (const etag of ['"a"', 'W/"a"']) assert.ok(matchesEtag(header, etag), `${header} ${etag}`)
  for (const header of ['"A"', 'w/"a"', '"aa"', 'W/ "a"']) assert.not(matchesEtag(header, 'W/"a"'), header)
})

tags('any member of a list matches, and a tag may contain commas', () => {
  for (const header of ['"b", "a"', '"b",W/"a"', '"b" ,\t"a" , "c"', ',, "a",', '"b,c", "a"', '"ñ", "a"'])
    assert.ok(matchesEtag(header, '"a"'), header)
  assert.ok(matchesEtag('"x", W/"a,b"', '"a,b"'))
  assert.not(matchesEtag('"b,\'a\'", "c"', '"a"'))
})

tags('an asterisk matches anything, alone', () => {
  assert.ok(matchesEtag('*', 'W/"a"'))
  for (const header of ['"b", *', '"*"', '**']) assert.not(matchesEtag(header, '"a"'), header)
})

tags('what is no entity tag matches nothing', () => {
  for (const header of [undefined, '', 'a', '"a', 'a"', 'x"a"', '"a"x', '"b""a"', 'W/', '"b" "a"', ','.repeat(9000)])
    assert.not(matchesEtag(header, '"a"'), header?.slice(0, 9))
})

const encodings = suite('unit/lib/conditional-requests: content encodings')

encodings('brotli is preferred over gzip, unless the header says otherwise', () => {
  const asked: Record<string, string> = {
    'gzip, deflate, br, zstd': 'br gzip',
    'gzip, deflate, br': 'br gzip',
    'br;q=1.0, gzip;q=0.8': 'br gzip',
    'gzip;q=1.0, br;q=0.1': 'gzip br',
    GZIP: 'gzip',
    'br;q=0': '',
    'br;q=0, gzip': 'gzip',
    'br;q=0.000, gzip;q=0': '',
    '*': 'br gzip',
    'br;q=0, *': 'gzip',
    '*;q=0': '',
    'identity;q=1, br;q=0.5': '',
    identity: '',
  }
  for (const [accept, names] of Object.entries(asked)) assert.is(acceptedEncodings(accept).join(' '), names, accept)
})

encodings('a malformed Accept-Encoding selects no encoding', () => {
  const nonsense = [
    '',
    ',,,',
    'brotli',
    'xbr, gzipped',
    'br;q=2',
    'br;q=-1',
    'br;q=NaN',
    'br gzip',
    'br;level=11',
    'ｂｒ',
  ]
  for (const accept of [...nonsense, 'x'.repeat(16_000), ';q=1,'.repeat(3000)])
    assert.equal(acceptedEncodings(accept), [], accept.slice(0, 20))
  assert.equal(acceptedEncodings(undefined), [])
  assert.equal(acceptedEncodings('br;q=0, br'), [], 'the first word counts')
})
