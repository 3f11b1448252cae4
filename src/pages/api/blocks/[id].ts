export {
  createBlock as PUT,
  changeBlockByForm as POST,
  deleteBlock as DELETE,
} from '#features/reports/blocks/blocks.http.ts'
