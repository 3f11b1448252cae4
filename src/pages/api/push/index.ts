export {
  getPushState as GET,
  turnPushOn as POST,
  turnPushOff as DELETE,
} from '#features/notifications/push/push.http.ts'
