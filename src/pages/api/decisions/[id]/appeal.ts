export { answer as POST } from '#features/reports/decisions.http.ts'
