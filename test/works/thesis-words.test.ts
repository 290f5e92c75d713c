import { expect, test } from 'vitest';
import { isBelowDoctor, isThesis } from '../../src/works/theses.ts';

const BELOW_DOCTOR = [
  ...["Master's thesis", 'MASTER THESIS', 'masterThesis', 'Bachelor thesis', 'Masterarbeit', 'Diplomarbeit'],
  ...['Mémoire de maîtrise', 'Tesis de maestría', 'Trabajo de fin de grado', 'Dissertação de mestrado'],
  ...['Tesi di laurea', 'Examensarbete', 'Pro gradu', 'Praca magisterska', 'Diplomová práce', 'Szakdolgozat'],
  ...[
    'Yüksek lisans tezi',
    'Магистерская диссертация',
    '硕士学位论文',
    '修士論文',
    '석사학위논문',
    'Skripsi',
  ],
];
const OTHER_THESES = [
  ...['Thesis', 'thesis', 'Doctoral thesis', 'PhD Thesis', 'doctoralThesis', 'Dissertation', 'Theses'],
  ...['info:eu-repo/semantics/doctoralThesis', 'Doktorarbeit', 'Habilitationsschrift', 'Hochschulschrift'],
  ...['Thèse de doctorat', 'Tesis doctoral', 'Tese de doutorado', 'Tesi di dottorato', 'Proefschrift'],
  ...['Doktorsavhandling', 'Ph.d.-afhandling', 'Väitöskirja', 'Rozprawa doktorska', 'Disertační práce'],
  ...[
    'Doktora tezi',
    'Диссертация',
    'Дисертація',
    'Διδακτορική διατριβή',
    '博士论文',
    '博士論文',
    '학위논문',
  ],
];
const OTHERS = [
  ...['Hypothesis', 'Synthesis report', 'These data', 'Journal article', 'Prosthesis', 'Report', 'Tests'],
  'Text',
  ...['Parentheses', 'Testimony', '', 'Artesia', 'Preprint', `Thesis ${'x'.repeat(300)}`],
];

test('a thesis is recognized in any letter case and in many languages', () => {
  const all = [...BELOW_DOCTOR, ...OTHER_THESES];
  expect(all.filter((words) => !isThesis(words))).toEqual([]);
  expect([...OTHERS, null].filter(isThesis)).toEqual([]);
});

test('a degree below the doctor is recognized', () => {
  expect(BELOW_DOCTOR.filter((words) => !isBelowDoctor(words))).toEqual([]);
  expect([...OTHER_THESES, null].filter(isBelowDoctor)).toEqual([]);
});
