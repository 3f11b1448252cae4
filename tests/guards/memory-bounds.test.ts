import ts from 'typescript'
import { listFiles, readSource } from '#tests/support/sources.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

// What the server keeps in memory from one request to the next, each with what bounds it, in entries and in bytes. One that grows with
// what clients send ends the process (tests/unit/robustness/kept-inputs tries some).

const STATIC_KEYS = 'keys of the sources or of the catalogue'
const IN_FLIGHT = 'requests in flight, each removed at its end; connections are bounded'
const FILLED_AT_START = 'filled once, by what is loaded at the start'
const PER_JOB = 'released with its job'

/** By file and name. Those with parts of requests name their bound of entries and of the bytes of a key. */
const BOUNDS: Record<string, string> = {
  'db/concurrency-limiter.ts #waiting': IN_FLIGHT,
  'db/dialect/postgres/statements.ts #names': 'MAX_PREPARED statements of MAX_STATEMENT_CHARS',
  'db/dialect/postgres/statements.ts #runs': 'MAX_COUNTED statements of MAX_STATEMENT_CHARS',
  'db/client.ts cache': "MAX_CACHED_STATEMENTS; SQL is the sources', values are bound",
  'db/prepared.ts compiled': 'dialects; MAX_SHAPES of each query',
  'db/statement-tables.ts cache': "MAX_CACHED_TEXTS texts of MAX_CACHED_CHARS; SQL is the sources'",
  'db/positions.ts ownLogged': 'a number for each write since the log was read',
  'db/table-changes.ts changed': 'tables, and what noteChange names',
  'src/app/page-cache/page-store.ts #renders': IN_FLIGHT,
  'src/app/page-cache/cached-pages.ts #encoded': 'three encodings of a page, counted in its bytes',
  'src/features/album/breed/breed-pictures.ts pictures': 'MAX_CACHED_CHARS, keys counted',
  'src/features/auth/oauth/client.server.ts configs': STATIC_KEYS,
  'src/features/badges/decide.ts #weeks': PER_JOB,
  'src/features/badges/decide.ts oldestOfBreed': PER_JOB,
  'src/features/breeds/name-html.ts htmlByName': 'MAX_CACHED_CHARS, keys counted',
  'src/features/breeds/operator-photos.server.ts scannedFolders': 'one folder, of DATA_DIR',
  'src/features/live/streams.server.ts live': '5,000 streams',
  'src/features/live/streams.server.ts #bySite': 'sites of the streams, removed with the last of each',
  'src/features/live/streams.server.ts #members': 'members of the streams, removed with the last of each',
  'src/features/maintenance/backup-part.server.ts #files': PER_JOB,
  'src/features/map/base/label-placement.ts #cells': PER_JOB,
  'src/features/map/base/place-names.ts #zooms': STATIC_KEYS,
  'src/features/map/index/location-overrides.server.ts points': 'the lines of the operator’s file',
  'src/features/map/geo-file.server.ts files': 'one file, of DATA_DIR',
  'src/features/map/index/cell-grid.ts #cells': 'cells of the dogs of an index',
  'src/features/map/index/map-service.server.ts waiting': IN_FLIGHT,
  'src/features/map/index/map-store.server.ts #dogs': 'the dogs of the table',
  'src/features/map/index/map-store.server.ts #filtered':
    'FILTERED_MAX_DOGS, an empty index counts as 500: a thousand of them; a key is a known breed and size',
  'src/features/map/index/map-store.server.ts #places': 'zones of dogs, and of those since the last rebuild',
  'src/features/notifications/push/encrypted-message.server.ts tokens':
    'MAX_TOKENS; a key has the address of a push service',
  'src/features/notifications/push/quiet-hours.ts clocks': 'canonical names of time zones, some 600',
  'src/features/opendata/datasets.server.ts zonePoints': 'ZONE_CACHE_SIZE zones of dogs, of 100 characters',
  'src/lib/turn-queue.ts #networks': IN_FLIGHT,
  'src/features/photos/decode/decoder.server.ts #senders': IN_FLIGHT,
  'src/features/riddle/pictures.server.ts painted': '90 pictures; keys are tokens of riddles',
  'src/features/riddle/round/questions.server.ts drawnRounds': 'MAX_REMEMBERED_ROUNDS; keys are of signed tokens',
  'src/features/storage/files.server.ts cleanedFolders': STATIC_KEYS,
  'src/features/storage/photo-store.server.ts stores': 'one store, of DATA_DIR',
  'src/features/photos/original.server.ts inFlight': IN_FLIGHT,
  'src/features/photos/photos.ts renderPrefixes': STATIC_KEYS,
  'src/features/photos/visibility.server.ts databases': 'one database, of DATA_DIR',
  'src/features/photos/render/photo-handler.server.ts RENDERS_BY_MODIFIERS': FILLED_AT_START,
  'src/features/photos/render/photo-handler.server.ts memory':
    'MEMORY_CACHE_BYTES; a key is the name of a stored photo and a box',
  'src/features/photos/render/sharp.server.ts inFlight': IN_FLIGHT,
  'src/features/places/geocode.server.ts inFlight': IN_FLIGHT,
  'src/features/places/suggest.server.ts matchesByPrefix':
    '100,000 matches; a prefix that has any is no longer than a name',
  'src/features/search/name-search.server.ts preparedQueries': STATIC_KEYS,
  'src/features/share/cards.server.ts cachedCards': 'CACHE_MAX_BYTES; a key is a folder, a kind and a version',
  'src/features/share/cards.server.ts inFlight': IN_FLIGHT,
  'src/server/fair-pool.ts #shares':
    'owners of open connections and of bodies under way, removed with the last hold of each',
  'src/server/counters.ts counters': "labels are the sources', never typed",
  'src/server/files/file-handler.ts entries': FILLED_AT_START,
  'src/server/limits/rate-limit.ts reasons': 'ten, of codes of the database, emptied each minute',
  'src/server/files/file-handler.ts memory': 'its maxSize in bytes, of files of the build',
  'src/server/files/file-handler.ts pendingReads': 'files of the build',
  'src/server/limits/limit-store.ts rateLimits': 'limits of the sources; MAX_TRACKED_CALLERS each, of MAX_CALLER_CHARS',
  'db/dialect/postgres/node-locks.ts #held': 'the jobs of the site, and devices that are being pushed to',
  'db/dialect/postgres/node-locks.ts #names': 'the same',
  'src/server/operator-warnings.ts warnings': 'WarningTopic; a sentence with MAX_ORIGIN_CHARS each',
  'src/server/mail-queue.ts delayed':
    'MAX_QUEUED_MAILS; a mail is of our own text and an address of at most 254 characters',
  'src/server/mail-queue.ts counts':
    'networks of the last three minutes’ mails, which five connections send, and mailboxes of at most 254 characters; removed with the last of each',
  'src/ui/react-html.ts rendered': 'HTML_MAX characters, keys counted',
}

/** Functions whose local variables live as long as the program. */
const SERVICE_FACTORY = /^(?:open|create|start|bound|prepare|cache|limit)[A-Z]/

interface Collection {
  name: string
  /** Made from a list and never changed. */
  isConstant: boolean
}

function collectionsOf(path: string): Collection[] {
  const source = readSource(path)
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const found: Collection[] = []
  /** The name of a function whose variables are released with its call; null at module level, in a class or in a factory. */
  const ownerOf = (node: ts.Node): string | null => {
    for (let at = node.parent; at; at = at.parent) {
      if (ts.isPropertyDeclaration(at)) return null
      if (ts.isFunctionLike(at)) {
        const name =
          (at.name ?? (ts.isVariableDeclaration(at.parent) ? at.parent.name : undefined))?.getText() ?? 'callback'
        return SERVICE_FACTORY.test(name) ? null : name
      }
    }
    return null
  }
  const nameOf = (node: ts.Node): string => {
    for (let at = node.parent; at; at = at.parent)
      if (ts.isVariableDeclaration(at) || ts.isPropertyDeclaration(at) || ts.isPropertyAssignment(at))
        return at.name.getText()
    return 'unnamed'
  }
  /** A field of a class, or of an object in a server file: other code may change it. */
  const isField = ({ parent }: ts.Node) =>
    ts.isPropertyDeclaration(parent) || (ts.isPropertyAssignment(parent) && /\.server\.ts$|^src\/server\//.test(path))
  const visit = (node: ts.Node): void => {
    if (
      ts.isNewExpression(node) &&
      /^(?:Map|Set|LRUCache|RateLimiterMemory)$/.test(node.expression.getText()) &&
      ownerOf(node) === null
    ) {
      const name = nameOf(node)
      const isChanged = new RegExp(`${name.replace('#', '#?')}(?:\\.get\\([^)]*\\))?[!?]?\\.(?:set|add)\\(`).test(
        source,
      )
      found.push({ name, isConstant: !isChanged && !isField(node) && node.expression.getText() !== 'LRUCache' })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** What runs in the server: not the browser's files, not the build's. */
const SERVER_FILES = listFiles(['src', 'db'], ['.ts']).filter(
  (path) => !/\.(?:client|store)\.ts$|^src\/(?:integrations|app\/demo)\/|^db\/migrations\//.test(path),
)

const guard = suite('memory bounds')

const collections = SERVER_FILES.flatMap((path) =>
  collectionsOf(path)
    .filter(({ isConstant }) => !isConstant)
    .map(({ name }) => `${path} ${name}`),
)

guard('every collection that outlives a request has a bound in BOUNDS', () => {
  assert.ok(collections.length > 20, `${collections.length}`)
  assertNone(
    [...new Set(collections)],
    (each) => !(each in BOUNDS),
    'bound it in entries and in bytes of key and value, and say how in BOUNDS',
  )
})
guard('every bound in BOUNDS is of a collection in the sources', () => {
  assertNone(Object.keys(BOUNDS), (each) => !collections.includes(each))
})
