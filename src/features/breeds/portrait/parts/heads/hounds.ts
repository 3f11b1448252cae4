/** Heads of scent hounds and gun dogs. */
import { profile, type HeadShape } from './profile.ts'

// Tables of coordinates, one shape per line.
// prettier-ignore
export const HOUND_HEADS = {
  hound: { outline: [[0, 34], [19, 38], [36, 52], [45, 75], [44, 98], [39, 122], [34, 146], [21, 164], [0, 169]], eye: [22, 92, 7.4], noseY: 130, muzzle: [27, 10], kind: 'plain', up: [30, 54, 10], down: [37, 64, -8], nose: 15 },
  beagle: { outline: profile(37, 163, [27, 43, 50, 49, 41, 34, 19]), eye: [23.5, 95, 8.6], noseY: 124, muzzle: [27, 10], kind: 'plain', up: [32, 56, 10], down: [43, 62, -8], nose: 14 },
  foxhound: { outline: profile(34, 170, [24, 38, 43, 41, 38, 35, 22]), eye: [21.5, 90, 7.2], noseY: 131, muzzle: [28, 11], kind: 'plain', up: [30, 54, 10], down: [37, 62, -10], nose: 15.5 },
  grandHound: { outline: profile(25, 172, [16, 30, 38, 39, 34, 31, 18]), eye: [20, 88, 7], noseY: 134, muzzle: [26, 9], kind: 'plain', up: [26, 48, 8], down: [33, 80, -3], nose: 15 },
  bloodhound: { outline: profile(28, 174, [18, 31, 39, 42, 43, 42, 26]), eye: [21, 90, 6.6], noseY: 132, muzzle: [34, 11], kind: 'jowl', up: [26, 50, 8], down: [33, 76, -3], nose: 16.5 },
  basset: { outline: profile(28, 172, [17, 32, 40, 40, 38, 36, 22]), eye: [20.5, 92, 7.2], noseY: 134, muzzle: [31, 11], kind: 'jowl', up: [26, 52, 8], down: [34, 80, -6], nose: 16 },
  bracke: { outline: profile(40, 168, [23, 36, 42, 39, 31, 26, 15]), eye: [21, 92, 7.2], noseY: 131, muzzle: [22.5, 9], kind: 'plain', up: [28, 56, 10], down: [37, 60, -12], nose: 13 },
  stovare: { outline: profile(41, 165, [28, 43, 48, 43, 35, 29, 17]), eye: [22.5, 94, 7.4], noseY: 127, muzzle: [25, 10], kind: 'plain', up: [32, 58, 10], down: [43, 57, -14], nose: 14 },
  tracker: { outline: profile(45, 165, [33, 49, 53, 48, 40, 34, 21]), eye: [25, 97, 6.8], noseY: 127, muzzle: [29, 12], kind: 'plain', up: [36, 62, 14], down: [48, 62, -16], nose: 15.5 },
  laufhund: { outline: profile(29, 170, [16, 29, 35, 34, 28, 24, 14]), eye: [19, 90, 7], noseY: 136, muzzle: [21, 8], kind: 'plain', up: [24, 50, 8], down: [30, 78, 0], nose: 13.5 },
  segugio: { outline: profile(34, 171, [17, 30, 36, 35, 27, 21, 12]), eye: [19.5, 87, 7.2], noseY: 139, muzzle: [18.5, 8], kind: 'plain', up: [24, 52, 8], down: [32, 60, -12], nose: 12.5 },
  coonhound: { outline: profile(33, 169, [28, 45, 51, 45, 38, 34, 21]), eye: [24, 91, 7.8], noseY: 129, muzzle: [29, 11], kind: 'plain', up: [34, 54, 10], down: [43, 70, -6], nose: 15.5 },
  teckel: { outline: profile(38, 167, [22, 36, 43, 41, 29, 21, 11]), eye: [21.5, 92, 8], noseY: 139, muzzle: [18.5, 8], kind: 'plain', up: [28, 56, 10], down: [38, 57, -10], nose: 12 },
  otterhound: { outline: profile(35, 172, [29, 45, 50, 47, 44, 42, 26]), eye: [22.5, 91, 6.8], noseY: 125, muzzle: [33, 13], kind: 'plain', up: [32, 56, 10], down: [43, 78, 2], nose: 17 },
  gundog: { outline: [[0, 39], [23, 43], [42, 57], [51, 80], [50, 102], [43, 126], [36, 148], [21, 163], [0, 167]], eye: [24, 96, 7.8], noseY: 124, muzzle: [29, 10], kind: 'plain', up: [32, 56, 12], down: [43, 60, -4], nose: 14.5 },
  pointer: { outline: profile(37, 169, [24, 39, 44, 39, 35, 34, 23]), eye: [22, 91, 7.4], noseY: 127, muzzle: [29, 12], kind: 'jowl', up: [30, 54, 10], down: [39, 55, -10], nose: 15.5 },
  braque: { outline: profile(40, 168, [29, 47, 52, 47, 43, 40, 26]), eye: [24.5, 94, 7.4], noseY: 124, muzzle: [34, 12], kind: 'jowl', up: [34, 58, 12], down: [45, 62, -4], nose: 16 },
  vizsla: { outline: profile(39, 169, [21, 36, 42, 39, 32, 28, 17]), eye: [21.5, 93, 7.4], noseY: 130, muzzle: [24, 10], kind: 'plain', up: [28, 56, 10], down: [37, 60, -2], nose: 13.5 },
  weimaraner: { outline: profile(34, 172, [20, 34, 39, 37, 33, 29, 18]), eye: [20.5, 89, 7.4], noseY: 137, muzzle: [24.5, 10], kind: 'plain', up: [26, 52, 8], down: [35, 55, -4], nose: 14 },
  retriever: { outline: profile(38, 165, [31, 48, 55, 52, 43, 36, 21]), eye: [25, 97, 7.8], noseY: 123, muzzle: [30, 11], kind: 'plain', up: [34, 58, 12], down: [46, 62, -6], nose: 14.5 },
  setter: { outline: profile(31, 171, [20, 33, 39, 37, 31, 27, 16]), eye: [20, 88, 7.6], noseY: 136, muzzle: [22.5, 9], kind: 'plain', up: [26, 50, 10], down: [34, 76, -2], nose: 13.5 },
  spaniel: { outline: [[0, 35], [22, 39], [41, 54], [48, 79], [46, 104], [39, 128], [31, 150], [18, 162], [0, 165]], eye: [24, 96, 8.2], noseY: 124, muzzle: [26, 9], kind: 'plain', up: [32, 54, 14], down: [42, 74, -6], nose: 13.5 },
  springer: { outline: profile(38, 167, [25, 40, 46, 42, 34, 28, 16]), eye: [22.5, 95, 8], noseY: 128, muzzle: [24, 9], kind: 'plain', up: [30, 56, 12], down: [39, 70, -6], nose: 13.5 },
  cocker: { outline: profile(31, 162, [28, 44, 49, 45, 39, 34, 20]), eye: [23.5, 94, 8.8], noseY: 122, muzzle: [27, 10], kind: 'plain', up: [32, 52, 12], down: [41, 84, -5], nose: 14 },
  cavalier: { outline: profile(42, 160, [32, 48, 53, 50, 41, 33, 19]), eye: [26.5, 99, 9.8], noseY: 118, muzzle: [25, 9], kind: 'plain', up: [36, 58, 14], down: [46, 60, -10], nose: 12 },
  brittany: { outline: profile(43, 163, [29, 45, 50, 43, 33, 27, 16]), eye: [23.5, 97, 8], noseY: 124, muzzle: [23.5, 9], kind: 'plain', up: [34, 60, 14], down: [45, 57, -18], nose: 13 },
  griffon: { outline: profile(40, 168, [27, 42, 47, 45, 43, 41, 26]), eye: [22.5, 93, 7.2], noseY: 124, muzzle: [31, 12], kind: 'plain', up: [32, 58, 10], down: [41, 62, -2], nose: 15 },
} satisfies Record<string, HeadShape>
