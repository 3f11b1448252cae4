export { redirectToPage as GET, unsubscribe as POST } from '#features/contact/relay/mails.http.ts'
