export { decideSightingByAdmin as POST } from '#features/sightings/sightings.http.ts'
