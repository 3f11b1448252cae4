export { state as GET, turnOn as POST, turnOff as DELETE } from '#features/notifications/push/push.http.ts'
