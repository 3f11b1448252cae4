export { serveYearCard as GET } from '#features/share/year-card.http.ts'
