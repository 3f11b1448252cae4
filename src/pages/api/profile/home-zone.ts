export {
  getHomeZone as GET,
  postHomeZone as POST,
  putHomeZone as PUT,
  removeHomeZone as DELETE,
} from '#features/nearby/home-zone/home-zone.http.ts'
