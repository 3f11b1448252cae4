export {
  getLostAlerts as GET,
  postLostAlerts as POST,
  putLostAlerts as PUT,
  removeLostAlerts as DELETE,
} from '#features/lost/alerts/lost-alerts.http.ts'
