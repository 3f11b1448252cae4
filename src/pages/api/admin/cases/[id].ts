export { decideCase as POST } from '#features/reports/decisions.http.ts'
