export { judgeSightingByOwner as POST } from '#features/sightings/sightings.http.ts'
