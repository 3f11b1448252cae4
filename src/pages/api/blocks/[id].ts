export { add as PUT, byForm as POST, remove as DELETE } from '#features/reports/blocks.http.ts'
