export { redirectToPage as GET, unsubscribe as POST } from '#features/lost/alerts/lost-alerts.http.ts'
