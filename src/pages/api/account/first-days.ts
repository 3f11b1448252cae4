export { dismissStep as POST } from '#features/account/first-days/first-days.http.ts'
