export { proofChallenge as GET } from '#features/moderation/proof-of-work/proof-of-work.http.ts'
