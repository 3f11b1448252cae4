export { decideReviewItem as POST } from '#features/admin/review/review.http.ts'
