export { getSightingPhoto as GET } from '#features/sightings/sightings.http.ts'
