export {
  markNotificationRead as PATCH,
  markNotificationReadByForm as POST,
} from '#features/notifications/notifications.http.ts'
