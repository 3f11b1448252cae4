export { decideCase as POST } from '#features/reports/decisions/decisions.http.ts'
