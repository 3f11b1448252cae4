export { markAllNotificationsRead as POST } from '#features/notifications/notifications.http.ts'
