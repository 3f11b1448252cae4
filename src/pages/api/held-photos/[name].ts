export { getQuarantinedPhoto as GET } from '#features/reports/quarantine/quarantined-photos.http.ts'
