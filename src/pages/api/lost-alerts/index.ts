export {
  getLostAlerts as GET,
  putLostAlerts as PUT,
  removeLostAlerts as DELETE,
} from '#features/lost/alerts/lost-alerts.http.ts'
