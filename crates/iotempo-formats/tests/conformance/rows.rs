//! The records of a module as runs of words, in the order of libdarshan's structs.

use iotempo_formats::darshan::{
    CounterTable, DxtTable, HeatmapRecord, LustreRecord, Module, Records,
};

/// Records as words and texts, as `darshan_dump.py` lays them out.
#[derive(Default)]
pub struct Rows {
    pub words: Vec<u64>,
    /// Where each record ends in the words.
    pub ends: Vec<usize>,
    pub texts: Vec<String>,
    /// Names of a record's words, where all records have the same.
    columns: Vec<String>,
}

impl Rows {
    pub fn of(module: Module, records: &Records) -> Self {
        let mut rows = Self::default();
        match records {
            Records::Counters(table) => rows.counters(module, table),
            Records::Dxt(table) => rows.dxt(table),
            Records::Heatmap(records) => records.iter().for_each(|record| rows.heatmap(record)),
            Records::Lustre(records) => records.iter().for_each(|record| rows.lustre(record)),
            Records::Mdhim(records) => {
                for record in records {
                    rows.words.extend([record.id, record.rank as u64]);
                    rows.ints(&record.ints);
                    rows.floats(&record.floats);
                    rows.ints(&record.histogram);
                    rows.end();
                }
            }
            Records::Apmpi(apmpi) => {
                if let Some(header) = &apmpi.header {
                    let bits = [
                        header.variance_total_mpitime,
                        header.variance_total_mpisynctime,
                    ];
                    rows.words
                        .extend([header.id, header.rank as u64, header.magic as u64]);
                    rows.words.push(u64::from(header.sync_flag));
                    rows.floats(&bits);
                    rows.end();
                }
                rows.counters(module, &apmpi.table);
                rows.texts.clone_from(&apmpi.nodes);
            }
            Records::Apxc(apxc) => {
                if let Some(header) = &apxc.header {
                    rows.ints(header);
                    rows.end();
                }
                for (index, place) in apxc.places.iter().enumerate() {
                    rows.words
                        .extend([apxc.table.ids[index], apxc.table.ranks[index] as u64]);
                    rows.ints(place);
                    rows.ints(apxc.table.ints_of(index));
                    rows.end();
                }
            }
            Records::Unreadable => {}
        }
        rows
    }

    fn counters(&mut self, module: Module, table: &CounterTable) {
        self.columns = columns(module, table);
        for index in 0..table.len() {
            self.words
                .extend([table.ids[index], table.ranks[index] as u64]);
            self.words.extend(table.file_ids.get(index));
            self.ints(table.ints_of(index));
            self.floats(table.floats_of(index));
            if let Some(object) = table.objects.get(index) {
                self.bytes(&object.pool);
                self.bytes(&object.container);
                if module == Module::Daos {
                    self.words.extend([object.oid.0, object.oid.1]);
                }
            }
            self.end();
        }
    }

    fn dxt(&mut self, table: &DxtTable) {
        for record in &table.records {
            self.words
                .extend([record.id, record.rank as u64, record.writes, record.reads]);
            for at in record.first..record.first + (record.writes + record.reads) as usize {
                self.ints(&[table.offsets[at], table.lengths[at]]);
                self.floats(&[table.starts[at], table.ends[at]]);
            }
            self.texts.push(record.hostname.clone());
            self.end();
        }
    }

    fn heatmap(&mut self, record: &HeatmapRecord) {
        self.words.extend([record.id, record.rank as u64]);
        self.floats(&[record.bin_width_s]);
        self.words.push(record.writes.len() as u64);
        self.ints(&record.writes);
        self.ints(&record.reads);
        self.end();
    }

    fn lustre(&mut self, record: &LustreRecord) {
        self.words.extend([record.id, record.rank as u64]);
        self.words
            .extend([record.components.len() as u64, record.osts.len() as u64]);
        for c in &record.components {
            self.ints(&[c.stripe_size, c.stripe_count, c.stripe_pattern, c.flags]);
            self.ints(&[c.ext_start, c.ext_end, c.mirror_id]);
            self.texts.push(c.pool_name.clone());
        }
        self.ints(&record.osts);
        self.end();
    }

    fn ints(&mut self, values: &[i64]) {
        self.words.extend(values.iter().map(|&value| value as u64));
    }

    fn floats(&mut self, values: &[f64]) {
        self.words
            .extend(values.iter().map(|value| value.to_bits()));
    }

    fn bytes(&mut self, bytes: &[u8; 16]) {
        let word = |half: &[u8]| u64::from_le_bytes(half.try_into().expect("8 bytes"));
        self.words.extend(bytes.chunks_exact(8).map(word));
    }

    fn end(&mut self) {
        self.ends.push(self.words.len());
    }

    /// Where the words of a record begin.
    pub fn start(&self, row: usize) -> usize {
        row.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    /// The place of the column of that name in every record.
    pub fn column(&self, name: &str) -> usize {
        let at = self.columns.iter().position(|column| column == name);
        at.unwrap_or_else(|| panic!("no column {name}"))
    }

    /// How a report calls a word.
    pub fn label(&self, word: usize) -> String {
        let row = self.ends.partition_point(|&end| end <= word);
        let at = word - self.ends.get(row).map_or(0, |_| self.start(row));
        let column = self.columns.get(at).cloned();
        format!(
            "record {row}, {}",
            column.unwrap_or_else(|| format!("word {at}"))
        )
    }

    /// Forgets a record.
    pub fn remove(&mut self, row: usize) {
        let (start, end) = (self.start(row), self.ends[row]);
        self.words.drain(start..end);
        self.ends.remove(row);
        for later in &mut self.ends[row..] {
            *later -= end - start;
        }
    }
}

fn columns(module: Module, table: &CounterTable) -> Vec<String> {
    let mut columns = vec!["id".to_owned(), "rank".to_owned()];
    if matches!(module, Module::H5d | Module::PnetcdfVar) {
        columns.push("file id".to_owned());
    }
    columns.extend(
        table
            .layout
            .ints
            .iter()
            .chain(&table.layout.floats)
            .cloned(),
    );
    if matches!(module, Module::Dfs | Module::Daos) {
        columns.extend(["pool", "pool 2", "container", "container 2"].map(str::to_owned));
    }
    columns
}
