export { getTodayCounts as GET } from '#features/dogs/today/today.http.ts'
