export { activity as GET } from '#features/account/activity/activity.http.ts'
