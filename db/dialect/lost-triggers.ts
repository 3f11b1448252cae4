import { type AnyDb, dialectOf } from './dialect.ts'

// Triggers of `lost_alert_queue` and `lost_alert_ends`, for the migration that creates both tables.

/** A dog is alerted of once in this time, ms. */
const ALERT_PAUSE_MS = 30 * 86_400_000

/** SQLite takes a subquery in WHEN, PostgreSQL does not. */
const isDue = `NOT EXISTS (SELECT 1 FROM lost_history WHERE dog_id = new.dog_id AND alerted_at > new.opened_at - ${ALERT_PAUSE_MS})`
const enqueue = `INSERT INTO lost_alert_queue (case_id, queued_at) VALUES (new.id, new.opened_at) ON CONFLICT (case_id) DO NOTHING;`
/** A case ends in many ways: also with its owner's account. */
const writeEnd = `INSERT INTO lost_alert_ends (case_id) VALUES (old.id) ON CONFLICT (case_id) DO NOTHING;`

/** Statements that create the triggers, after all tables. */
export const listLostTriggers = (db: AnyDb): string[] =>
  dialectOf(db) === 'postgres'
    ? [
        ...postgresTrigger('lost_alert_queued', 'INSERT', `IF ${isDue} THEN ${enqueue} END IF;`),
        ...postgresTrigger('lost_alert_ended', 'DELETE', writeEnd),
      ]
    : [
        `CREATE TRIGGER lost_alert_queued AFTER INSERT ON lost_cases WHEN ${isDue} BEGIN ${enqueue} END`,
        `CREATE TRIGGER lost_alert_ended AFTER DELETE ON lost_cases BEGIN ${writeEnd} END`,
      ]

const postgresTrigger = (name: string, event: string, body: string): string[] => [
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`,
  `CREATE TRIGGER ${name} AFTER ${event} ON lost_cases FOR EACH ROW EXECUTE FUNCTION ${name}()`,
]
