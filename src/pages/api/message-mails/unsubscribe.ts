export { redirectToPage as GET, unsubscribe as POST } from '#features/account/unsubscribe.http.ts'
