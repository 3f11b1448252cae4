export { createReport as POST } from '#features/reports/reports.http.ts'
