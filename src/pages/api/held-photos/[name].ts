export { heldPhoto as GET } from '#features/reports/held-photos.http.ts'
