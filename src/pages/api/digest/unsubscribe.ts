export { redirectToPage as GET, unsubscribe as POST } from '#features/notifications/digest/digest.http.ts'
