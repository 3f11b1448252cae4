export { add as PUT, changeByForm as POST, remove as DELETE } from '#features/reports/blocks/blocks.http.ts'
