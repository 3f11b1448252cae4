export { deleteSighting as DELETE, judgeSightingByOwner as POST } from '#features/sightings/sightings.http.ts'
