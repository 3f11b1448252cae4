export { appealDecision as POST } from '#features/reports/decisions/decisions.http.ts'
