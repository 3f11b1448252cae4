export { activity as GET } from '#features/account/activity.http.ts'
