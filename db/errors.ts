/** A newer version of the program has migrated the database: this one must not write to it. */
export class NewerDatabaseError extends Error {
  /** @param migration the first one that this program does not know */
  constructor(migration: string) {
    super(`la base de datos es de una versión más nueva del programa (${migration}): actualízalo.`)
  }
}

/** PostgreSQL cannot be used as it is; `message` is one Spanish sentence for the operator. */
export class PostgresUnusableError extends Error {}

/** Other transactions kept one from its turn: it may succeed later. */
export class DatabaseBusyError extends Error {
  readonly code = 'DATABASE_BUSY'
  constructor() {
    super('No turn to write came in time')
  }
}
