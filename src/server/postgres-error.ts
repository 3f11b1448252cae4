export { PostgresUnusableError } from '#db/errors.ts'
