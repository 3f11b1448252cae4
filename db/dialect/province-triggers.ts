import { type AnyDb, dialectOf } from './dialect.ts'

// Triggers of `province_breeds` and `dog_arrivals`, for the migration that creates both tables.

/** The province under which `province_breeds` counts all of them. */
export const ALL_PROVINCES = 'ES'

/** Adds `by` to a dog's breed in its province and in all of them; dogs abroad and without a place are not counted. */
const add = (row: 'new' | 'old', by: 1 | -1) => `
  INSERT INTO province_breeds (province, breed_slug, dogs)
    SELECT place, ${row}.breed_slug, ${by} FROM (SELECT ${row}.province AS place UNION ALL SELECT '${ALL_PROVINCES}') AS places
    WHERE coalesce(${row}.province, '') <> ''
    ON CONFLICT (province, breed_slug) DO UPDATE SET dogs = province_breeds.dogs + excluded.dogs;`

/**
 * An earlier arrival that is still to be announced is announced once, as what the dog is now. A change of breed is no arrival: one dog could
 * be announced in one place after another.
 */
const arrive = `
  INSERT INTO dog_arrivals (dog_id, queued_at) VALUES (new.id, new.updated_at)
    ON CONFLICT (dog_id) DO UPDATE SET queued_at = excluded.queued_at;`

/** Only where somebody waits for a breed: by the index home_zones_alerts. SQLite takes a subquery in WHEN, PostgreSQL does not. */
const isAwaited = `coalesce(new.zone, '') <> '' AND EXISTS (SELECT 1 FROM home_zones WHERE alert_cell IS NOT NULL)`

const MOVED = 'old.breed_slug IS DISTINCT FROM new.breed_slug OR old.province IS DISTINCT FROM new.province'

/** Statements that create the triggers, after both tables. */
export const listProvinceTriggers = (db: AnyDb): string[] =>
  dialectOf(db) === 'postgres' ? postgresTriggers() : sqliteTriggers

const sqliteTriggers = [
  `CREATE TRIGGER province_breeds_added AFTER INSERT ON dogs BEGIN ${add('new', 1)} END`,
  `CREATE TRIGGER province_breeds_removed AFTER DELETE ON dogs BEGIN ${add('old', -1)} END`,
  `CREATE TRIGGER province_breeds_moved AFTER UPDATE OF breed_slug, province ON dogs WHEN ${MOVED}
    BEGIN ${add('old', -1)} ${add('new', 1)} END`,
  `CREATE TRIGGER dog_arrivals_added AFTER INSERT ON dogs WHEN ${isAwaited} BEGIN ${arrive} END`,
]

/** Counts at commit, as all tallies: every writer of a breed updates the same rows. */
function postgresTriggers(): string[] {
  const trigger = (name: string, event: string, body: string, { when = 'true', isDeferred = false } = {}) => [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`,
    `CREATE ${isDeferred ? 'CONSTRAINT ' : ''}TRIGGER ${name} AFTER ${event}
      ${isDeferred ? 'DEFERRABLE INITIALLY DEFERRED ' : ''}FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}()`,
  ]
  const arriveIfAwaited = `IF ${isAwaited} THEN ${arrive} END IF;`
  return [
    trigger('province_breeds_added', 'INSERT ON dogs', add('new', 1), { isDeferred: true }),
    trigger('province_breeds_removed', 'DELETE ON dogs', add('old', -1), { isDeferred: true }),
    trigger('province_breeds_moved', 'UPDATE OF breed_slug, province ON dogs', `${add('old', -1)} ${add('new', 1)}`, {
      when: MOVED,
      isDeferred: true,
    }),
    trigger('dog_arrivals_added', 'INSERT ON dogs', arriveIfAwaited),
  ].flat()
}
