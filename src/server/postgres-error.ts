/** PostgreSQL cannot be used as it is; `message` is one Spanish sentence for the operator. */
export class PostgresUnusableError extends Error {}
