/**
 * Ids of events. A sequence gives them when rows are written, and a transaction that began later may commit earlier: who had read up to
 * an id would miss the lower ones that are committed after it. Here an id is the number of its transaction and the event's place in it:
 * once all transactions below a number have ended (`pg_snapshot_xmin`), no id below it is added any more.
 */

/** Events of one transaction. Ids stay exact in JavaScript for 900,000,000,000 transactions. */
const IDS_PER_TRANSACTION = 10_000

export const eventIdFunctions: readonly string[] = [
  // Added to the server's number, which starts anew in another server: `alignEventIds` (../event-ids.ts).
  `CREATE SEQUENCE event_id_offset MINVALUE 0 START WITH 0`,
  `CREATE FUNCTION first_event_id(transaction_id xid8) RETURNS bigint LANGUAGE sql STABLE AS
    $$ SELECT (transaction_id::text::bigint + (SELECT last_value FROM event_id_offset)) * ${IDS_PER_TRANSACTION} $$`,
  // The setting ends with its transaction.
  `CREATE FUNCTION next_event_id() RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE place bigint := coalesce(nullif(current_setting('perrario.last_event', true), ''), '0')::bigint + 1;
    BEGIN
      IF place >= ${IDS_PER_TRANSACTION} THEN RAISE EXCEPTION 'A transaction has too many events'; END IF;
      PERFORM set_config('perrario.last_event', place::text, true);
      RETURN first_event_id(pg_current_xact_id()) + place;
    END $$`,
]
