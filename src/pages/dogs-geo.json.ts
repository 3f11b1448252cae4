export { geoFile as GET } from '#features/map/map.http.ts'
