export { detectUploadedBreed as POST, getDetectionState as GET } from '#features/detection/detection.http.ts'
