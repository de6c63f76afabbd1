use std::fmt;
use std::sync::Arc;

use datafusion::arrow::datatypes::Schema;
use datafusion::common::plan_err;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::datasource::physical_plan::{FileOpener, FileScanConfig, FileSource};
use datafusion::datasource::projection::{ProjectionOpener, SplitProjection};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::{DataFusionError, Result};
use datafusion::object_store::ObjectStore;
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, MetricBuilder};
use datafusion::physical_plan::projection::ProjectionExprs;
use datafusion::physical_plan::{DisplayFormatType, PhysicalExpr, apply_expression_roots};
use quick_sitemap_arrow::{BatchesBuilder, Column};
use url::Url;

use crate::opener::SitemapOpener;

/// The scan of the files of a table: the columns that the decoder returns, and that a file is not divided.
#[derive(Clone)]
pub struct SitemapSource {
    table_schema: TableSchema,
    options: BatchesBuilder,
    batch_rows: Option<usize>,
    projection: SplitProjection,
    metrics: ExecutionPlanMetricsSet,
}

impl fmt::Debug for SitemapSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SitemapSource")
            .field("options", &self.options)
            .field("projection", &self.projection)
            .finish_non_exhaustive()
    }
}

impl SitemapSource {
    /// All columns of the table, read with these options.
    pub fn new(table_schema: impl Into<TableSchema>, options: BatchesBuilder) -> Self {
        let table_schema = table_schema.into();
        Self {
            projection: SplitProjection::unprojected(&table_schema),
            table_schema,
            options,
            batch_rows: None,
            metrics: ExecutionPlanMetricsSet::new(),
        }
    }

    /// The columns that the decoder must return: those that the projection needs, without partitions.
    ///
    /// # Errors
    ///
    /// `DataFusionError::Plan` if the table was declared with columns that sitemaps do not have.
    pub fn columns(&self) -> Result<Vec<Column>> {
        let declared = self.projected_file_schema()?;
        let columns = declared
            .fields()
            .iter()
            .map(|field| field.name().parse())
            .collect::<Result<Vec<Column>, _>>()
            .map_err(|error| DataFusionError::Plan(error.to_string()))?;
        let given = self.options.clone().columns(columns.iter().copied());
        let given = given.decoder().schema();
        for (declared, given) in declared.fields().iter().zip(given.fields()) {
            if declared.data_type() != given.data_type() {
                return plan_err!(
                    "column `{}` of sitemaps is {}, not {}",
                    given.name(),
                    given.data_type(),
                    declared.data_type()
                );
            }
        }
        Ok(columns)
    }

    fn projected_file_schema(&self) -> Result<Schema> {
        let schema = self.table_schema.file_schema();
        Ok(schema.project(&self.projection.file_indices)?)
    }
}

impl FileSource for SitemapSource {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let mut options = self.options.clone().columns(self.columns()?);
        // Rows after a limit need not be decoded.
        let batch_rows = [self.batch_rows, config.limit].into_iter().flatten().min();
        if let Some(rows) = batch_rows {
            options = options.batch_rows(rows);
        }
        let bytes_scanned = MetricBuilder::new(&self.metrics).counter("bytes_scanned", partition);
        let store_url = <_ as AsRef<Url>>::as_ref(&config.object_store_url).clone();
        let opener = Arc::new(SitemapOpener::new(store, store_url, options, bytes_scanned));
        ProjectionOpener::try_new(
            self.projection.clone(),
            opener,
            self.table_schema.file_schema(),
        )
    }

    fn table_schema(&self) -> &TableSchema {
        &self.table_schema
    }

    fn with_batch_size(&self, batch_size: usize) -> Arc<dyn FileSource> {
        let mut source = self.clone();
        source.batch_rows = Some(batch_size);
        Arc::new(source)
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        Some(&self.projection.source)
    }

    fn try_pushdown_projection(
        &self,
        projection: &ProjectionExprs,
    ) -> Result<Option<Arc<dyn FileSource>>> {
        let mut source = self.clone();
        let merged = self.projection.source.try_merge(projection)?;
        source.projection = SplitProjection::new(self.table_schema.file_schema(), &merged);
        Ok(Some(Arc::new(source)))
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        &self.metrics
    }

    fn file_type(&self) -> &str {
        "sitemap"
    }

    /// The columns that the decoder returns. The projection that the plan shows can contain expressions over them.
    fn fmt_extra(&self, format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ok(columns) = self.columns() else {
            return Ok(());
        };
        let names: Vec<_> = columns.into_iter().map(Column::name).collect();
        let names = names.join(", ");
        match format {
            DisplayFormatType::Default | DisplayFormatType::Verbose => {
                write!(f, ", decoded=[{names}]")
            }
            DisplayFormatType::TreeRender => writeln!(f, "decoded={names}"),
        }
    }

    /// Neither XML nor gzip can be read from the middle.
    fn supports_repartitioning(&self) -> bool {
        false
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        apply_expression_roots(self.projection.source.iter(), f)
    }
}
