export { add as POST } from '#features/reports/reports.http.ts'
