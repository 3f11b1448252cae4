export { createSighting as POST, getSightings as GET } from '#features/sightings/sightings.http.ts'
